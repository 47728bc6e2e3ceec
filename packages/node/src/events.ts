// The build writes these types out, so that the package does not depend on the contract.
import type { FeedEventOf, FeedEventType, WebhookTestEvent } from '@svc/contract';

export type SvcEventType = FeedEventType;

/** What has become true, by type. */
export type SvcEvents = { [Type in SvcEventType]: FeedEventOf<Type> };

/** What an endpoint gets when a person tests it. */
export type SvcTestEvent = WebhookTestEvent;
