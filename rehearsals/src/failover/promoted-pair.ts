import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '@svc/testkit';
import { type Gate, openGate } from './gate.ts';
import type { Pair } from './pair.ts';
import { storeAt, untilTrue } from './servers.ts';

const DATABASE = 'svc';
/** How long a failover manager takes to notice, at least; the network is away for longer than a node needs to notice. */
const NOTICED_AFTER_MS = 1_000;
const FENCED_AFTER_MS = 500;

type Side = { server: PostgresServer; gate: Gate };

/**
 * Servers from the registry's binaries, and what a failover manager does by hand: `pg_promote`, a base backup for the one that
 * rejoins, and synchronous commits while there is a standby. One node knows both servers, the other an address that moves.
 */
export async function openPromotedPair(): Promise<Pair> {
  const sides = await Promise.all([openSide(), openSide()]);
  let [primary, standby] = sides as [Side, Side];
  await primary.server.createDatabase(DATABASE);
  const address = await openGate(primary.server.port);
  const urlOf = (...ports: number[]) =>
    `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join()}/${DATABASE}`;
  const bothUrl = `${urlOf(...sides.map(({ gate }) => gate.port))}?target_session_attrs=read-write`;

  async function promote(): Promise<void> {
    await standby.server.query('select pg_promote()');
    [primary, standby] = [standby, primary];
  }
  const moveAddress = () => address.leadTo(primary.server.port);
  const cut = ({ gate }: Side) => {
    gate.cut();
    address.cut();
  };

  async function rejoin(): Promise<void> {
    standby.gate.leadTo(standby.server.port);
    await standby.server.follow(primary.server, primary.gate.port);
    await untilTrue(() => isFollowed(primary, 'state', 'streaming'), 'The standby does not follow');
    await primary.server.query(`alter system set synchronous_standby_names = '*'`);
    await primary.server.query('select pg_reload_conf()');
    await untilTrue(() => isFollowed(primary, 'sync_state', 'sync'), 'Commits do not wait for the standby');
  }
  await rejoin();

  return {
    title: 'pg_promote',
    store: await storeAt(bothUrl, async () => {
      address.close();
      for (const { server, gate } of sides) {
        gate.close();
        await server.crash();
        await server.remove();
      }
    }),
    nodeEnvs: [{ DATABASE_URL: urlOf(address.port) }, { DATABASE_URL: bothUrl }],
    primaryUrl: () => primary.server.url(DATABASE),
    failovers: [
      {
        title: 'Primary crashes, then the standby is promoted',
        async happen(onFault) {
          onFault();
          await primary.server.crash();
          await sleep(NOTICED_AFTER_MS);
          await promote();
          moveAddress();
        },
      },
      {
        title: 'Network of the primary is cut, then the standby is promoted',
        async happen(onFault) {
          onFault();
          cut(primary);
          await sleep(NOTICED_AFTER_MS);
          await promote();
          moveAddress();
        },
      },
      {
        title: 'Standby is promoted, then the primary is stopped',
        async happen(onFault) {
          onFault();
          await promote();
          void sleep(FENCED_AFTER_MS).then(async () => {
            await standby.server.crash();
            moveAddress();
          });
        },
      },
      {
        title: 'Standby is promoted, then the network of the primary is cut',
        async happen(onFault) {
          onFault();
          await promote();
          void sleep(FENCED_AFTER_MS).then(() => {
            cut(standby);
            moveAddress();
          });
        },
      },
    ],
    rejoin,
  };
}

async function openSide(): Promise<Side> {
  const server = await startPostgres({ wal_keep_size: '1GB' });
  return { server, gate: await openGate(server.port) };
}

async function isFollowed({ server }: Side, column: 'state' | 'sync_state', value: string): Promise<boolean> {
  const rows = await server.query(`select 1 from pg_stat_replication where ${column} = '${value}'`);
  return rows.length > 0;
}
