import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { programParams } from '../src/app/routes/root-route.ts';
import { formatSearch, parseSearch } from '../src/rules/search.ts';

const Content = createContext<ReactNode>(null);

/** Shows its children like a page at this address. Links and filters change the address, and nothing else. */
export function PageAt({ address, children }: { address: string; children: ReactNode }) {
  const [router] = useState(() => createPageRouter(address));
  return (
    <Content value={children}>
      <RouterProvider router={router} />
    </Content>
  );
}

function createPageRouter(address: string) {
  const rootRoute = createRootRoute({ component: Outlet });
  const anyPage = createRoute({
    getParentRoute: () => rootRoute,
    path: '/app/programs/$programId/$',
    params: programParams,
    component: PageContent,
  });
  return createRouter({
    routeTree: rootRoute.addChildren([anyPage]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch: formatSearch,
    defaultNotFoundComponent: PageContent,
  });
}

function PageContent() {
  return useContext(Content);
}
