import { manageProgram, manageReadiness, manageRefusedCalls, manageSetup, type ReplyData } from '@svc/contract';
import type { CallRoute } from './call-route.ts';
import { type Args, ofProgram } from './tool.ts';

type Facts = {
  program: ReplyData<typeof manageProgram>;
  readiness: ReplyData<typeof manageReadiness>;
  setup: ReplyData<typeof manageSetup>;
  refusedCalls: ReplyData<typeof manageRefusedCalls>;
};

/** What has arrived, what was refused, and what to do about it. */
export async function diagnoseTracking(call: CallRoute, args: Args) {
  const params = ofProgram(args);
  const facts: Facts = {
    program: (await call(manageProgram, { params })).data,
    readiness: (await call(manageReadiness, { params })).data,
    setup: (await call(manageSetup, { params })).data,
    refusedCalls: (await call(manageRefusedCalls, { params })).data,
  };
  const { domain, allowed_origins, status, lead_auth } = facts.program;
  const { click, lead, sale, refused } = facts.setup;
  return {
    findings: findingsIn(facts),
    readiness: { state: facts.readiness.state, gates: facts.readiness.gates },
    program: { domain, allowed_origins, status, lead_auth },
    last_received: { click, lead, sale },
    refused_events: refused,
    refused_calls: facts.refusedCalls,
  };
}

/** The problems in the order in which they are worth fixing. */
function findingsIn({ program, readiness, setup, refusedCalls }: Facts): string[] {
  const found: string[] = [];
  const isRefused = refusedCalls.filter(({ reason }) => reason === 'origin_not_allowed').slice(0, 5);
  if (program.status !== 'active') found.push(`The program is ${program.status}.`);
  if (program.api_key_rotate_by) found.push(`The API key stops working at ${program.api_key_rotate_by}. Replace it.`);
  if (isRefused.length > 0) {
    found.push('Pages on origins that are not allowed report events: see refused_calls. add_origins allows an origin.');
  }
  if (!setup.click)
    found.push('No page of the site has ever reported a click. Check that the tracker is on every page.');
  if (setup.click && !setup.lead) found.push('Clicks arrive, but no signup. Report leads where the user is created.');
  if (setup.lead && !setup.lead.referred)
    found.push('The latest signup carried no click. Check that click_id is sent.');
  if (setup.lead && !setup.sale) found.push('Signups arrive, but no sale. Report sales where payments are confirmed.');
  if (setup.sale && !setup.sale.referred) found.push('The latest sale belongs to nobody who came through a partner.');
  if (setup.refused.length > 0)
    found.push('Events were refused or not attributed: see refused_events for the reasons.');
  for (const { status, next_action } of Object.values(readiness.gates)) {
    if (status === 'fail' && next_action) found.push(next_action);
  }
  return found.length > 0 ? found : ['Nothing is wrong: clicks, signups and sales arrive.'];
}
