import type { RefusalReason } from '@svc/contract';

/** A call of a web page that was refused. Nothing else about it is kept: anyone can make such calls. */
export type Refusal = {
  programId: number;
  kind: 'click' | 'lead';
  reason: RefusalReason;
  origin: string | undefined;
};

export type RefusedCall = Omit<Refusal, 'origin'> & { origin: string; hour: Date; calls: number; lastAt: Date };
