import { describe, expect, it } from 'vitest';
import { exampleEvent } from './example-events.ts';
import { FEED_EVENT_TYPES, feedEventSchemas } from './feed-events.ts';

describe.each(FEED_EVENT_TYPES)('the example of %s', (type) => {
  it('fits its schema, and the row has every field', () => {
    const event = exampleEvent(type);
    expect(event.type).toBe(type);
    expect(feedEventSchemas[type].strict().safeParse(event).error?.issues ?? []).toEqual([]);
  });

  it('says what it was before only about fields that are different now', () => {
    const { previous = {}, ...data } = exampleEvent(type).data as Record<string, Record<string, unknown>>;
    const [row = {}] = Object.values(data);
    for (const [field, value] of Object.entries(previous)) expect([field, row[field]]).not.toEqual([field, value]);
  });
});
