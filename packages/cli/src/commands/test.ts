import { cliTestEvent, type EventType, readiness } from '@svc/contract';
import { FAILED, Failure } from '../failure.ts';
import { nextAction } from '../next-action.ts';
import { table } from '../output.ts';
import { programKey, type Session } from '../session.ts';

export const TESTS = ['click', 'lead', 'sale', 'chain'] as const;

/** Sends one test event, or the full chain followed by a readiness report. */
export async function test(session: Session, event: (typeof TESTS)[number]): Promise<number> {
  return event === 'chain' ? testChain(session) : testEvent(session, event);
}

async function testEvent(session: Session, eventType: EventType): Promise<number> {
  const { api, out } = session;
  const { data } = await api.call(cliTestEvent, { token: programKey(session), body: { event_type: eventType } });
  out.result(data, 'message' in data ? data.message : 'Received.');
  return 0;
}

async function testChain(session: Session): Promise<number> {
  const { api, out } = session;
  const token = programKey(session);
  const { data } = await out.withSpinner('Sending a test click, lead and sale', () =>
    api.call(cliTestEvent, { token, body: { type: 'chain' } }),
  );
  if (!('verdict' in data)) throw new Failure('The service did not run the test chain.');
  const report = await api.call(readiness, { token });
  const { verdict } = data;
  const next = nextAction(report);
  out.result({ ...data, readiness: report, next_action: next }, [
    ...table([
      ['Click', verdict.click],
      ['Lead', verdict.lead],
      ['Sale', verdict.sale],
      ['Readiness', report.state],
    ]),
    ...(next ? [`Next: ${next}`] : []),
  ]);
  return data.attributed ? 0 : FAILED;
}
