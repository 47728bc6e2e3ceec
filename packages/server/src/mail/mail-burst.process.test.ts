import { eventually } from '@svc/testkit/service/eventually.ts';
import { Mailbox } from '@svc/testkit/service/mailbox.ts';
import { type Installation, installations, onStore } from '@svc/testkit/service/processes/installations.ts';
import { SECRET, startService } from '@svc/testkit/service/processes/processes.ts';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { createConfiguredQueue } from '../mail-from-config.ts';
import { queueMails } from './queue-mail.ts';

const MAILS = 30;
const KILLED_AT = 10;

/** Queues mails to as many addresses, as a process with the same settings does. */
async function queueBurst(installation: Installation): Promise<void> {
  const mail = createConfiguredQueue(readConfig(installation.env), SECRET);
  const fields = { url: 'https://track.test/invite#token', role: 'member', expiresAt: new Date().toISOString() };
  const mails = Array.from({ length: MAILS }, (_, index) => {
    const to = { address: `person-${index}@people.test` };
    return { kind: 'team_invitation' as const, cause: String(index), to, fields };
  });
  await onStore(installation, (db) => queueMails(db, { mail, now: () => new Date() }, mails));
}

/** The mail that the dead process held is released after two minutes; here they pass at once. */
const releaseHeld = (installation: Installation) =>
  onStore(installation, (db) => db.query(`update mails set due_at = now() where state = 'waiting'`));

/** The queue is the same in both stores. The long version of the suite runs both. */
const stores = process.env.SVC_TEST_LONG ? installations : installations.slice(-1);

describe.each(stores)('on %s', (name, install) => {
  it('repeats at most one mail, with the same Message-ID, after a kill -9 in the middle of a burst', async () => {
    const mailbox = new Mailbox();
    await mailbox.open();
    const { env, open } = await install();
    const installation = { open, env: { ...env, SVC_SMTP_URL: mailbox.url, SVC_MAIL_FROM: 'partners@mail.test' } };
    const isEmbedded = name.includes('embedded');
    // Creates the tables.
    if (isEmbedded) await (await startService(installation.env)).end();
    await queueBurst(installation);

    let received = 0;
    const service = await startService(installation.env);
    // The worst moment: the server has the mail, and the process never learns it.
    mailbox.beforeAccepting = async () => {
      received += 1;
      if (received === KILLED_AT) await service.end('SIGKILL');
    };
    await service.untilEnded();
    mailbox.beforeAccepting = async () => {};
    if (!isEmbedded) await releaseHeld(installation);

    // Nodes share the rest. An embedded store has one, which releases what was held when it starts.
    const nodes = await Promise.all(Array.from({ length: isEmbedded ? 1 : 2 }, () => startService(installation.env)));
    const recipients = () => new Set(mailbox.mails.map(({ to }) => to));
    // The mail that is repeated may be the last one: a node may be slow with it.
    await eventually(
      () => mailbox.mails.length,
      (count) => count > MAILS,
    );
    for (const node of nodes) expect((await node.end()).code).toBe(0);
    expect(recipients().size).toBe(MAILS);
    const ids = mailbox.mails.map(({ headers }) => headers['message-id']);
    expect([ids.length, new Set(ids).size]).toEqual([MAILS + 1, MAILS]);
    await mailbox.close();
  });
});
