import { FEED_EVENT_TYPES, feedEventSchemas } from '@svc/contract';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { useCommand } from '../../test/command.ts';

const command = useCommand();
const receiver = useReceiver();
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('svc trigger', () => {
  it.each(FEED_EVENT_TYPES)(
    'sends a %s that the published library accepts and the contract describes',
    async (type) => {
      const path = `/${type}`;
      const flags = ['--forward-to', receiver.url(path), '--secret', SECRET];
      const { code } = await command.run(['trigger', type, ...flags]);
      expect(code).toBe(0);
      const [received] = receiver.at(path);
      const event = new Webhook(SECRET).verify(received!.body, received!.headers as Record<string, string>);
      expect(event).toMatchObject({ type, sequence: 0 });
      expect(feedEventSchemas[type].safeParse(event).error?.issues ?? []).toEqual([]);
    },
  );
});
