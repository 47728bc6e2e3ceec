/** Called by long work between its pieces. Rejects with `JobStopped` if a job has to end because the service stops. */
export type Rest = () => Promise<void>;
export const withoutRest: Rest = async () => undefined;

/** Thrown in the middle of a job when the service stops, or when another node may run the job. It starts over the next time. */
export class JobStopped extends Error {}
