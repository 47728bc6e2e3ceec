import type { Environment } from '@svc/bench/processes';
import type { BenchStore } from '@svc/bench/store';

/** A way in which the primary is lost and the standby takes over. */
export type Failover = {
  title: string;
  /** Resolves as soon as the standby is the primary. `onFault` is called when it begins. */
  happen(onFault: () => void): Promise<void>;
};

/** Two Postgres servers, of which one follows the other synchronously. */
export type Pair = {
  /** What it consists of, in words. */
  title: string;
  /** Opens the store on the primary. */
  store: BenchStore;
  /** How each node of the service finds the primary. */
  nodeEnvs: Environment[];
  /** Where the primary is now. */
  primaryUrl(): string;
  /** The ways that are rehearsed in turn. */
  failovers: Failover[];
  /** What is not rehearsed here, and why, as a sentence. */
  leftOut?: string;
  /** Lets the former primary follow the new one. Resolves when commits wait for it. */
  rejoin(): Promise<void>;
};
