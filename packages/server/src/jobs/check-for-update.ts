import { CallFailed, type CallOut } from '../outbound/call-out.ts';
import { RELEASE } from '../release.ts';
import { newerRelease, readAnnounced } from '../updates/newer-release.ts';
import { claimUpdateCheck, findAnnounced, updateAnnounced } from '../updates/update-check-store.ts';
import type { Job } from './job.ts';

type Options = {
  /** A file that says which release is the newest. */
  url: string;
  callOut: Pick<CallOut, 'call'>;
  /** Called after each run, with the release to upgrade to if there is one. */
  onResult: (newer: string | null) => void;
};

/**
 * Reads once a day, on one node, which release is the newest, and tells each node. The request is the same for every
 * installation: it says nothing about this one.
 */
export function checkForUpdate({ url, callOut, onResult }: Options): Job {
  let told: string | null = null;
  return {
    name: 'check-for-update',
    everySeconds: 3_600,
    async run({ db, now, log }) {
      if (await claimUpdateCheck(db, now())) {
        const announced = await read(url, callOut).catch((error) => {
          if (!(error instanceof CallFailed)) throw error;
          log.info({ reason: error.message }, 'Could not find out which release is the newest');
          return null;
        });
        if (announced !== null) await updateAnnounced(db, announced);
      }
      const newer = newerRelease(RELEASE, await findAnnounced(db));
      onResult(newer);
      if (newer === told) return null;
      told = newer;
      return newer && `release ${newer} is available; this is ${RELEASE}`;
    },
  };
}

async function read(url: string, callOut: Pick<CallOut, 'call'>): Promise<string> {
  const { status, body } = await callOut.call({ method: 'GET', url, headers: { accept: 'application/json' } });
  const announced = status === 200 ? readAnnounced(body) : null;
  if (announced === null) throw new CallFailed(`${status}, without a version`);
  return announced;
}
