import { feedEvents } from 'virtual:feed-events';
import type { Row } from '../../../api/client.ts';
import { groupEventTypes } from '../../../rules/event-types.ts';
import type { Option } from '../../../ui/forms/field.tsx';

export type Webhook = Row<'manageWebhooks'>;
export type Delivery = Row<'manageDeliveries'>;
export type Format = Webhook['format'];

export const FORMAT_OPTIONS: Option<Format>[] = [
  ['json', 'JSON'],
  ['slack', 'Slack'],
  ['discord', 'Discord'],
];

/** What an endpoint of each format gets. */
export const FORMAT_HELP: Record<Format, string> = {
  json: 'The whole event, signed. For your own server, and for tools such as Zapier, Make and n8n.',
  slack: 'One sentence for a channel, without personal data. Enter the URL of an incoming webhook of Slack.',
  discord: 'One sentence for a channel, without personal data. Enter the URL of a webhook of a Discord channel.',
};

const SUMMARIES: Record<string, string | undefined> = feedEvents;

/** Types of events to choose from, with what each of them says. */
export function choicesOf(types: readonly string[]) {
  return groupEventTypes(types).map(({ title, types: members }) => ({
    title,
    choices: members.map((value) => ({ value, about: SUMMARIES[value] ?? '' })),
  }));
}

export const ALL_TYPES = Object.keys(feedEvents);
