import { cliStatus } from '@svc/contract';
import { table } from '../output.ts';
import { programKey, type Session } from '../session.ts';

/** Reports what has arrived and how far the integration has come. */
export async function status(session: Session): Promise<void> {
  const { data } = await session.api.call(cliStatus, { token: programKey(session) });
  const { clicks_24h: clicks, leads_24h: leads, sales_24h: sales } = data.recent_events;
  session.out.result(
    data,
    table([
      ['Program', `${data.program_id}  ${data.name}  (${data.domain})`],
      ['Readiness', data.readiness],
      ['Last 24 hours', `${clicks} clicks, ${leads} leads, ${sales} sales`],
      ['Active partners', String(data.active_partners)],
      ['Pending commissions', String(data.pending_commissions)],
      ['Stripe', data.stripe_connected ? 'connected' : 'not connected'],
    ]),
  );
}
