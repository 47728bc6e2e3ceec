import { eventually } from './eventually.ts';
import type { TestService } from './service.ts';

/** Waits until what earlier requests announced has its numbers, which happens in the background. */
export async function untilNumbered(service: TestService): Promise<void> {
  await eventually(
    () => service.sql('select from outbox limit 1'),
    (waiting) => waiting.length === 0,
  );
}
