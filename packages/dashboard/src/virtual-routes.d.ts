declare module 'virtual:routes' {
  import type { RouteDefinition } from '@svc/contract';

  export const routes: Record<string, Pick<RouteDefinition, 'method' | 'path' | 'role' | 'partners'>>;
}

declare module 'virtual:feed-events' {
  import type { FeedEventType } from '@svc/contract';

  /** What each type of event says. */
  export const feedEvents: Record<FeedEventType, string>;
}
