declare module 'virtual:routes' {
  import type { RouteDefinition } from '@svc/contract';

  export const routes: Record<string, Pick<RouteDefinition, 'method' | 'path' | 'role' | 'partners'>>;
}
