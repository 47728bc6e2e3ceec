import { GATES, type ReadinessReply, readiness } from '@svc/contract';
import {
  type Check,
  checkAccount,
  checkFiles,
  checkKey,
  checkOrigin,
  checkService,
  checkSite,
} from '../doctor-checks.ts';
import { FAILED } from '../failure.ts';
import { nextAction } from '../next-action.ts';
import { table } from '../output.ts';
import type { Session } from '../session.ts';

const MARKS = { pass: 'ok', fail: 'FAIL', warn: 'warn', wait: 'wait', skip: 'skip' };

/** Checks everything an integration depends on, from the service URL to readiness, and suggests the next step. */
export async function doctor(session: Session, { origin: requested = [] }: { origin?: string[] }): Promise<number> {
  const { api, out } = session;
  const checks: Check[] = [await checkService(session)];
  let report: ReadinessReply | null = null;
  if (checks[0]?.status === 'pass') {
    checks.push(await checkAccount(session), await checkFiles(session));
    const { check, program } = await checkKey(session);
    checks.push(check);
    if (program) {
      const origins = requested.length > 0 ? requested : [`https://${program.domain}`];
      for (const origin of origins) checks.push(await checkOrigin(session, origin));
      report = await api.call(readiness, { token: session.key?.key });
      checks.push(checkSite(report, program));
    }
  }
  for (const name of report ? GATES : []) {
    const { status, next_action: action } = report!.gates[name];
    // The live gate waits for real events, which is not a failure.
    const state = status === 'pass' ? 'pass' : name === 'live' || status === 'unknown' ? 'wait' : 'fail';
    checks.push({ name: `gate ${name}`, status: state, message: action ?? 'passed', next_action: action });
  }
  const deadline = checks.find(({ rotate_by }) => rotate_by !== undefined);
  const urgent = checks.find(({ status }) => status === 'fail') ?? deadline;
  const next = urgent?.next_action ?? (report && nextAction(report));
  const ok = report?.integration_verified === true && !urgent;
  out.result({ ok, api_url: api.apiUrl, checks, readiness: report, next_action: next ?? null }, [
    ...table(checks.map(({ name, status, message }) => [MARKS[status], name, message])),
    ...(report ? [`Readiness: ${report.state}`] : []),
    ...(next ? [`Next: ${next}`] : ['Nothing left to do.']),
  ]);
  return ok ? 0 : FAILED;
}
