import { COMMISSION_TYPES, type ReadinessReply } from '@svc/contract';
import type { Program } from '../programs/program.ts';

export type Signals = {
  /** The steps that a test customer of a partner has reached. */
  testChain: { click: boolean; lead: boolean; sale: boolean };
  lastEventAt: { click: Date | null; lead: Date | null; sale: Date | null };
  processor: { isConnected: boolean; hasSentEvents: boolean };
  counts24h: { clicks: number; leads: number; sales: number };
};

type Gate = ReadinessReply['gates']['profile'];
type State = ReadinessReply['state'];

const pass: Gate = { status: 'pass' };
const fail = (nextAction: string): Gate => ({ status: 'fail', next_action: nextAction });

/** Judges how far a program's integration has come, from its settings and the events that have arrived. */
export function judgeReadiness(
  program: Program,
  { testChain, lastEventAt, processor }: Signals,
): Pick<ReadinessReply, 'state' | 'integration_verified' | 'blocker' | 'gates'> {
  const seen = {
    click: testChain.click || lastEventAt.click !== null,
    lead: testChain.lead || lastEventAt.lead !== null,
    sale: testChain.sale || lastEventAt.sale !== null,
  };
  const isLive = lastEventAt.click !== null && lastEventAt.lead !== null && lastEventAt.sale !== null;
  const gates = {
    profile: profileGate(program),
    economics: economicsGate(program),
    payout:
      seen.sale || (processor.isConnected && processor.hasSentEvents) ? pass : payoutUnknown(processor.isConnected),
    tracking: seen.click ? pass : fail(INSTALL_TRACKER),
    live: { ...(isLive ? pass : fail(liveAction(seen))), test_chain: testChain },
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

const INSTALL_TRACKER =
  'Add the tracker script to your site and open a page with a referral link (?aff=…), or run `svc test chain`.';

const payoutUnknown = (isProcessorConnected: boolean): Gate => ({
  status: 'unknown',
  next_action: isProcessorConnected
    ? 'A payment processor is connected, but no event has arrived. Add the webhook URL from program Settings, Payments there and send a test event.'
    : 'Report sales from your backend to POST /api/v1/track/sale, or connect the payment processor in Settings.',
});

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

function liveAction(seen: { click: boolean; lead: boolean; sale: boolean }): string {
  const missing = (['click', 'lead', 'sale'] as const).filter((name) => !seen[name]);
  if (missing.length > 0) {
    return `No ${missing.join(', no ')} has arrived yet. Run \`svc test chain\` to verify the integration.`;
  }
  return 'The integration is verified. Share a referral link; this gate passes with the first real click, lead and sale.';
}

function stateOf(
  gates: ReadinessReply['gates'],
  seen: { click: boolean; lead: boolean; sale: boolean },
  isLive: boolean,
): State {
  if (gates.profile.status === 'fail' || gates.economics.status === 'fail') return 'draft';
  if (gates.tracking.status === 'fail') return 'configuring';
  if (isLive) return 'live_verified';
  return seen.lead && seen.sale ? 'integration_verified' : 'ready';
}
