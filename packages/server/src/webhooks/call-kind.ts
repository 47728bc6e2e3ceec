import type { Answer } from './attempt.ts';

/** A call that is due. Its ids are those of its kind. */
export type DueCall = {
  id: number;
  /** Where it goes: calls to the same endpoint wait for each other first. */
  endpointId: number;
  dueAt: Date;
  /** Whether the last attempts at this endpoint have failed. */
  isFailing: boolean;
};

export type Attempt<Call extends DueCall = DueCall> = { call: Call; answer: Answer };

/** Which of the due calls are listed: the oldest few of each endpoint, without those with these ids. */
export type ListedDue = { perEndpoint: number; without: number[] };

/** A host to which something is due, and whether nothing but failures came back from it lately. */
export type DueHost = { host: string; isFailing: boolean };

/** One kind of calls to addresses that users have entered: what is due, how it is sent, and what becomes of it. */
export type CallKind<Call extends DueCall = DueCall> = {
  name: string;
  /** The hosts to which something is due. */
  listDueHosts(now: Date): Promise<DueHost[]>;
  listDue(host: string, now: Date, listed: ListedDue): Promise<Call[]>;
  /** Makes one attempt. Whatever happens is an answer. */
  send(call: Call): Promise<Answer>;
  /** Stores what became of attempts, and what that says about their endpoints. */
  store(attempts: Attempt<Call>[]): Promise<void>;
  /** When a node should look again: when the next call is due, or when a host is free that another node may have left. */
  findNextDue(): Promise<Date | null>;
};
