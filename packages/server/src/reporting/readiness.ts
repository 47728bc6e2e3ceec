import { COMMISSION_TYPES, type ReadinessReply, TEST_LINK_PREFIX } from '@svc/contract';
import type { Program } from '../programs/program.ts';

type ChainVerdict = ReadinessReply['gates']['live']['test_chain']['click'];

export type Signals = {
  /** How far a test customer who came through a link has got, and whether to the partner of that link. */
  testChain: { click: ChainVerdict; lead: ChainVerdict; sale: ChainVerdict };
  /** The latest events that the brand's site or server sent, live or test. Tests of the service itself are not among them. */
  ownEvents: {
    click: Date | null;
    /** Who set the click cookie of the latest visitor. */
    cookieSetBy: 'script' | 'server' | null;
    lead: Date | null;
    sale: { at: Date; source: 'processor' | 'api' } | null;
  };
  lastEventAt: { click: Date | null; lead: Date | null; sale: Date | null };
  processor: { isConnected: boolean; hasSentEvents: boolean };
  counts24h: { clicks: number; leads: number; sales: number };
};

type Gate = ReadinessReply['gates']['profile'];
type State = ReadinessReply['state'];

const pass: Gate = { status: 'pass' };
const fail = (nextAction: string): Gate => ({ status: 'fail', next_action: nextAction });

/**
 * Judges how far a program's integration has come, from its settings and the events that have arrived. The service's own
 * tests prove that the service works, not that the site does, so they pass no gate.
 */
export function judgeReadiness(
  program: Program,
  { testChain, ownEvents, lastEventAt, processor }: Signals,
): Pick<ReadinessReply, 'state' | 'integration_verified' | 'blocker' | 'gates'> {
  const seen = { click: ownEvents.click !== null, lead: ownEvents.lead !== null, sale: ownEvents.sale !== null };
  const isLive = lastEventAt.click !== null && lastEventAt.lead !== null && lastEventAt.sale !== null;
  const gates = {
    profile: profileGate(program),
    economics: economicsGate(program),
    payout: { ...(seen.sale ? pass : payoutUnknown(processor)), mode: ownEvents.sale?.source ?? null },
    tracking: trackingGate(program, ownEvents, testChain),
    live: { ...liveGate(seen, isLive), test_chain: testChain },
  };
  const state = stateOf(gates, seen, isLive);
  const order = ['profile', 'economics', 'payout', 'tracking', 'live'] as const;
  return {
    state,
    integration_verified: state === 'integration_verified' || state === 'live_verified',
    blocker: order.find((name) => gates[name].status === 'fail') ?? null,
    gates,
  };
}

/** Passed by any event that the site or its server sent. After a test of the service itself, it is only unknown. */
function trackingGate(
  program: Program,
  { click, lead, sale, cookieSetBy }: Signals['ownEvents'],
  testChain: Signals['testChain'],
) {
  const times = [click, lead, sale?.at].flatMap((at) => (at ? [at.getTime()] : []));
  if (times.length > 0)
    return { ...pass, checked_at: new Date(Math.max(...times)).toISOString(), cookie_set_by: cookieSetBy };
  const isUntested = testChain.click === 'pending';
  const open = `open https://${program.domain}/?aff=${TEST_LINK_PREFIX}${program.id} in a browser.`;
  const action = isUntested
    ? `Add the tracker script to your site, run \`svc test chain\`, which creates the test link, and ${open}`
    : `Add the tracker script to your site and ${open}`;
  const status: Gate['status'] = isUntested ? 'fail' : 'unknown';
  return { status, next_action: action, checked_at: null, cookie_set_by: null };
}

const payoutUnknown = (processor: Signals['processor']): Gate => ({
  status: 'unknown',
  next_action: payAction(processor),
});

function payAction({ isConnected, hasSentEvents }: Signals['processor']): string {
  if (!isConnected) {
    return 'Report sales from your backend to POST /api/v1/track/sale, or connect the payment processor in Settings.';
  }
  return hasSentEvents
    ? 'Events of the payment processor arrive, but none of them was a sale yet. Make a test payment.'
    : 'A payment processor is connected, but no event has arrived. Add the webhook URL from program Settings, Payments there and send a test event.';
}

function profileGate({ name, domain }: Program): Gate {
  if (name.trim() === '') return fail('Give the program a name in Settings.');
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(domain))
    return fail('Set the program’s domain in Settings, like example.com.');
  return pass;
}

const RATE_TOO_HIGH = 'The commission is more than 100 percent of each sale. Lower commission_rate in Settings.';

function economicsGate({ commissionRate, commissionType }: Program): Gate {
  const { basis } = COMMISSION_TYPES[commissionType];
  switch (basis) {
    case 'percent':
      return Number(commissionRate) > 100 ? fail(RATE_TOO_HIGH) : pass;
    case 'fixed':
      return pass;
    default:
      return basis satisfies never;
  }
}

type Seen = { click: boolean; lead: boolean; sale: boolean };

/** Fails until the integration is verified. After that it is only waiting for the first referred visitor. */
function liveGate(seen: Seen, isLive: boolean): Gate {
  if (isLive) return pass;
  const missing = (['click', 'lead', 'sale'] as const).filter((name) => !seen[name]);
  const status = isVerified(seen) ? 'unknown' : 'fail';
  return { status, next_action: missing.length > 0 ? missingAction(missing) : LIVE_ACTION };
}

const LIVE_ACTION =
  'The integration is verified. Share a referral link; this gate passes with the first real click, lead and sale.';

const missingAction = (missing: string[]) =>
  `No ${missing.join(', no ')} of your site has arrived yet. The setup guide in the dashboard shows what to do.`;

const isVerified = ({ lead, sale }: Seen) => lead && sale;

function stateOf(gates: ReadinessReply['gates'], seen: Seen, isLive: boolean): State {
  if (gates.profile.status === 'fail' || gates.economics.status === 'fail') return 'draft';
  if (gates.tracking.status === 'fail') return 'configuring';
  if (isLive) return 'live_verified';
  return isVerified(seen) ? 'integration_verified' : 'ready';
}
