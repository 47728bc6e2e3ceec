import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { formatSearch, parseSearch } from '../rules/search.ts';
import { Skeleton } from '../ui/feedback/query-state.tsx';
import { Crashed, Missing } from './error-pages.tsx';
import { brandPages, type Pages, portalPages, publicPages } from './pages.ts';

const root = createRootRoute({ component: Outlet, notFoundComponent: Missing });

const brand = createRoute({
  getParentRoute: () => root,
  path: '/app/programs/$programId',
  component: lazyRouteComponent(() => import('./brand-shell.tsx'), 'BrandShell'),
});
const portal = createRoute({
  getParentRoute: () => root,
  path: '/app/portal/$programId',
  component: lazyRouteComponent(() => import('./portal-shell.tsx'), 'PortalShell'),
});

/** The addresses of the application. Every page is a file of its own, loaded when somebody goes there. */
export function createAppRouter() {
  const routeTree = root.addChildren([
    ...routesOf(root, publicPages),
    brand.addChildren(routesOf(brand, brandPages)),
    portal.addChildren(routesOf(portal, portalPages)),
  ]);
  return createRouter({
    routeTree,
    parseSearch,
    stringifySearch: formatSearch,
    defaultPreload: 'intent',
    defaultPendingComponent: Skeleton,
    defaultErrorComponent: Crashed,
    defaultNotFoundComponent: Missing,
    scrollRestoration: true,
  });
}

function routesOf(parent: AnyRoute, pages: Pages): AnyRoute[] {
  return Object.entries(pages).map(([path, load]) =>
    createRoute({ getParentRoute: () => parent, path, component: lazyRouteComponent(load, 'Page') }),
  );
}
