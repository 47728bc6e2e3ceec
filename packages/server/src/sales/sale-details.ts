import { saleDetails } from '@svc/contract';
import { z } from 'zod';
import type { RowColumns } from '../db/row-columns.ts';

type Detail = keyof typeof saleDetails;

const COLUMN_TYPES = {
  string: 'text',
  integer: 'bigint',
  number: 'numeric',
  boolean: 'boolean',
  array: 'jsonb',
  object: 'jsonb',
} as const;

/**
 * The columns of the table `sales` that hold what a caller added about a sale. They have the names of the fields, so that details
 * keep the spelling of the contract from the request to the row, and the types of what callers send.
 */
export const SALE_DETAIL_COLUMNS = Object.fromEntries(
  Object.entries(saleDetails).map(([name, field]) => [name, columnTypeOf(name, field)]),
) as RowColumns<Detail>;

function columnTypeOf(name: string, field: z.ZodType) {
  const { type } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  const columnType = COLUMN_TYPES[type as keyof typeof COLUMN_TYPES];
  if (!columnType)
    throw new Error(`${name}: a detail of a sale is a string, a number, a boolean, an array or an object`);
  return columnType;
}
