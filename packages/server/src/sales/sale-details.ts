import { type SaleDetails as SaleDetailColumns, saleDetails } from '@svc/contract';

export type { SaleDetailColumns };

/** The columns of the table `sales` that hold the details: they have the names of the fields. */
export const SALE_DETAIL_COLUMNS = Object.keys(saleDetails);

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** What a caller added about a sale: the optional fields of the contract, in camelCase. */
export type SaleDetails = { [Field in keyof SaleDetailColumns as CamelCase<Field>]: SaleDetailColumns[Field] };

const FIELDS = SALE_DETAIL_COLUMNS.map((column) => ({ column, name: camelCase(column) }));

/** Takes the details as they were sent. A field that is no detail does not compile here: it needs a meaning of its own. */
export function saleDetailsOf<Sent extends SaleDetailColumns>(
  sent: Sent & Record<Exclude<keyof Sent, keyof SaleDetailColumns>, never>,
): SaleDetails {
  const values: Record<string, unknown> = sent;
  return Object.fromEntries(FIELDS.map(({ column, name }) => [name, values[column]]));
}

/** The details by the columns of the table `sales` that hold them. */
export function saleDetailColumns(sale: SaleDetails): SaleDetailColumns {
  const values: Record<string, unknown> = sale;
  return Object.fromEntries(FIELDS.map(({ column, name }) => [column, values[name]]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
