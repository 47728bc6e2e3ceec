import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@svc/bench/processes';
import { queryOnce } from '@svc/testkit';
import type { Failover, Pair } from './pair.ts';
import { DATABASE, DatabaseMachine, HA, newAddress, readEnv, runEtcd, startProgram } from './patroni-machine.ts';
import { patroniVersion, yieldsAfterHanging } from './patroni-version.ts';
import { storeAt, untilTrue } from './servers.ts';

const PROGRAMS = ['patroni', 'etcd', 'haproxy'];
const POSTGRES = '/usr/lib/postgresql';

/** Why it cannot be rehearsed with Patroni here; null if it can. */
export function missingPatroni(): string | null {
  const missing = PROGRAMS.filter((name) => spawnSync('which', [name], { stdio: 'ignore' }).status !== 0);
  if (missing.length > 0) return `${missing.join(', ')} not installed`;
  return findPostgres() === undefined ? `no Postgres in ${POSTGRES}` : null;
}

/** The newest that Debian has installed. */
function findPostgres(): string | undefined {
  try {
    const versions = readdirSync(POSTGRES).filter((name) => /^\d+$/.test(name));
    const newest = versions.sort((one, other) => Number(one) - Number(other)).at(-1);
    return newest && join(POSTGRES, newest, 'bin');
  } catch {
    return undefined;
  }
}

/**
 * Two servers under Patroni with three members of etcd, and HAProxy, with the files of `deploy/ha` and other addresses. One node
 * of the service connects through HAProxy, the other one knows both servers.
 */
export async function openPatroniPair(): Promise<Pair> {
  const home = await mkdtemp(join(tmpdir(), 'svc-patroni-'));
  chmodSync(home, 0o755);
  const names = ['db1', 'db2', 'app1'];
  const members = await Promise.all(
    names.map(async (name) => ({ name, client: await newAddress(), peer: await newAddress() })),
  );
  const witness = runEtcd(home, 'app1', members);
  const machines = await Promise.all(
    ['db1', 'db2'].map((name) => DatabaseMachine.create({ home, name, members, bin: findPostgres() as string })),
  );
  const [one, other] = machines as [DatabaseMachine, DatabaseMachine];
  const listen = await newAddress();
  const proxy = startProgram('haproxy', ['-f', join(HA, 'haproxy.cfg')], {
    ...readEnv('haproxy.env'),
    LISTEN: listen,
    ...checkedBy('DB1', one),
    ...checkedBy('DB2', other),
  });

  // Patroni wants all members of etcd once. The first server creates the cluster, the second one copies it.
  for (const machine of machines) machine.startEtcd();
  await untilTrue(() => hasEtcd(members[0]?.client ?? ''), 'etcd does not answer');
  one.start();
  await untilTrue(() => one.isPrimary(), 'The first server is not the primary');
  other.start();
  await queryOnce(one.adminUrl(), `create role svc login password 'svc'`);
  await queryOnce(one.adminUrl(), `create database ${DATABASE} owner svc`);
  const urlOf = (hosts: string) => `postgres://svc:svc@${hosts}/${DATABASE}`;
  const bothUrl = `${urlOf(machines.map(({ postgres }) => postgres).join())}?target_session_attrs=read-write`;

  let primary = one;
  let standby = other;
  async function untilPromoted(): Promise<void> {
    await untilTrue(() => standby.isPrimary(), 'The standby was not promoted');
    [primary, standby] = [standby, primary];
  }
  const rejoin = async () => {
    standby.start();
    await untilTrue(() => primary.hasSynchronousStandby(), 'Commits do not wait for the standby');
  };
  await rejoin();

  const version = patroniVersion();
  const hang: Failover = {
    title: 'Patroni: the primary hangs, and goes on after the promotion',
    async happen(onFault) {
      onFault();
      primary.pause();
      await untilPromoted();
      standby.resumeSoon();
    },
  };

  return {
    title: 'Patroni',
    store: await storeAt(bothUrl, async () => {
      proxy.kill('SIGKILL');
      for (const machine of machines) await machine.kill();
      witness.kill('SIGKILL');
      await rm(home, { recursive: true, force: true });
    }),
    nodeEnvs: [{ DATABASE_URL: urlOf(listen) }, { DATABASE_URL: bothUrl }],
    primaryUrl: () => urlOf(primary.postgres),
    failovers: [
      {
        title: 'Patroni: the primary crashes',
        async happen(onFault) {
          onFault();
          primary.crashPostgres();
          await untilPromoted();
        },
      },
      {
        title: 'Patroni: the machine of the primary is lost',
        async happen(onFault) {
          onFault();
          await primary.kill();
          await untilPromoted();
        },
      },
      ...(yieldsAfterHanging(version) ? [hang] : []),
      {
        title: 'Patroni: switchover',
        async happen(onFault) {
          onFault();
          primary.switchOver(standby);
          await untilPromoted();
        },
      },
    ],
    ...(!yieldsAfterHanging(version) && {
      leftOut: `Patroni ${version}: no primary hangs, because this release lets it take the lead back (deploy/ha/README.md).`,
    }),
    rejoin,
  };
}

/** Whether the members have agreed on what they can do together. */
async function hasEtcd(client: string): Promise<boolean> {
  const { etcdcluster } = (await (await fetch(`http://${client}/version`)).json()) as { etcdcluster: string };
  return /^3\.[1-9]/.test(etcdcluster);
}

function checkedBy(prefix: string, { postgres, restApi }: DatabaseMachine): Environment {
  const [host = '', port = ''] = restApi.split(':');
  return { [prefix]: postgres, [`${prefix}_PATRONI_HOST`]: host, [`${prefix}_PATRONI_PORT`]: port };
}
