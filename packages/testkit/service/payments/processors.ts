import { PROCESSORS, type ProcessorName } from '@svc/contract';

const isShort = process.env.SVC_TEST_STORE === 'embedded' && !process.env.SVC_TEST_LONG;

/**
 * The processors of scenarios that run on both stores. The store only sees what was read from an event, which is the same
 * for all of them: so Postgres gets all, and the embedded store one, except in the long form.
 */
export const PROCESSORS_OF_STORE: readonly ProcessorName[] = isShort ? ['stripe'] : PROCESSORS;
