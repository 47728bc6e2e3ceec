import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { change } from './change.ts';
import { ApiError, type Call, type Data } from './client.ts';
import { useSingleFlight } from './hooks.ts';

export type Run = Data<'managePayoutRun'>;
export type RunRequest = NonNullable<Call<'manageMakePayoutRun'>['body']>;
export type ReportResult = Data<'manageReadStatusReport'>;

/** A draft that is made again was canceled, but there is no new one. */
export class NotMadeAgain extends Error {
  readonly why: ApiError;

  constructor(number: number, why: ApiError) {
    super(`Payout run ${number} is canceled, but no new run was made. ${why.message}`);
    this.why = why;
  }
}

/** Cancels a draft and makes another one. If the first part fails, the draft stays as it is. */
export function useMakeAgain(programId: number): UseMutationResult<Run, Error, { run: Run; request: RunRequest }> {
  const queryClient = useQueryClient();
  const flight = useSingleFlight();
  const mutation = useMutation<Run, Error, { run: Run; request: RunRequest }>({
    mutationFn: async ({ run, request }) => {
      const params = { program_id: programId };
      await change('manageCancelPayoutRun', { params: { ...params, run_id: run.id } });
      try {
        return (await change('manageMakePayoutRun', { params, body: request })).data as Run;
      } catch (error) {
        throw error instanceof ApiError ? new NotMadeAgain(run.number, error) : error;
      }
    },
    onSettled: () => {
      flight.end();
      void queryClient.invalidateQueries();
    },
  });
  return { ...mutation, mutate: flight.guard(mutation.mutate) };
}

/** Reads a report of a bank or of PayPal, in the type that its name says. */
export function useStatusReport(programId: number, runId: number): UseMutationResult<ReportResult, ApiError, File> {
  const queryClient = useQueryClient();
  const flight = useSingleFlight();
  const mutation = useMutation<ReportResult, ApiError, File>({
    mutationFn: async (file) => {
      const type = /\.csv$/i.test(file.name) ? 'text/csv' : 'application/xml';
      const report = new File([await file.arrayBuffer()], file.name, { type, lastModified: file.lastModified });
      const params = { program_id: programId, run_id: runId };
      return (await change('manageReadStatusReport', { params, body: report as never })).data;
    },
    onSettled: () => {
      flight.end();
      void queryClient.invalidateQueries();
    },
  });
  return { ...mutation, mutate: flight.guard(mutation.mutate) };
}
