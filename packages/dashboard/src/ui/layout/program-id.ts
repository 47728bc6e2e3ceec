import { useParams } from '@tanstack/react-router';

/** The program in the URL. Outside a program it is NaN, which no program has as its id. */
export function useProgramId(): number {
  return useParams({ strict: false }).programId ?? Number.NaN;
}
