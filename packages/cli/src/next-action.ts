import { GATES, type ReadinessReply } from '@svc/contract';

/** The service's next action for the integration; null when nothing is left to do. */
export function nextAction({ gates }: ReadinessReply): string | null {
  const order = GATES.map((name) => gates[name]);
  const gate = order.find(({ status }) => status === 'fail') ?? order.find(({ status }) => status === 'unknown');
  return gate?.next_action ?? null;
}
