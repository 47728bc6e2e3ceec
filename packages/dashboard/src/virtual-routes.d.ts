declare module 'virtual:routes' {
  import type { RouteDefinition } from '@svc/contract';

  export const routes: Record<string, Pick<RouteDefinition, 'method' | 'path' | 'role' | 'partners'>>;
}

declare module 'virtual:feed-events' {
  import type { FeedEventType } from '@svc/contract';

  /** What each type of event says. */
  export const feedEvents: Record<FeedEventType, string>;
}

declare module 'virtual:country-map' {
  /** The outlines of countries by their two-letter codes. Very small ones have none. */
  export const shapes: Record<string, string>;
  /** The part of the plane that they are in. */
  export const view: { x: number; y: number; width: number; height: number };
}
