import { type AnyRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { formatSearch, parseSearch } from '../../rules/search.ts';
import { Skeleton } from '../../ui/feedback/query-state.tsx';
import { ErrorPage, NotFoundPage } from '../error-pages.tsx';
import { brandRoutes } from './brand-routes.ts';
import { type LoadPage, loadPage } from './page-loading.ts';
import { PAGES } from './pages.ts';
import { portalRoutes } from './portal-routes.ts';
import { publicRoutes } from './public-routes.ts';
import { rootRoute } from './root-route.ts';

const routeTree = rootRoute.addChildren([...publicRoutes, brandRoutes, portalRoutes]);

/** Creates the router of the application, with every page as its own download. */
export function createAppRouter() {
  const router = createRouter({
    routeTree,
    parseSearch,
    stringifySearch: formatSearch,
    // Parameters that a page does not know are dropped instead of being sent to the server as filters.
    search: { strict: true },
    defaultPreload: 'intent',
    defaultPendingComponent: Skeleton,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
  addPages(Object.values(router.routesById), PAGES);
  return router;
}

function addPages(routes: AnyRoute[], pages: Partial<Record<string, LoadPage>>): void {
  for (const route of routes) {
    const load = pages[route.id];
    if (load) route.update({ component: lazyRouteComponent(() => loadPage(load), 'Page') });
  }
}

// Types links, navigation and search parameters in all files.
declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
