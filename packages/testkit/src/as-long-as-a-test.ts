/** What a test of the project may take, less the time to say what did not happen. */
export const AS_LONG_AS_A_TEST_MS = process.env.SVC_TEST_STORE === 'postgres' ? 115_000 : 25_000;
