import { type SaleDetails as SaleDetailColumns, saleDetails } from '@svc/contract';

export type { SaleDetailColumns };

/** The columns of the table `sales` that hold the details: they have the names of the fields. */
export const SALE_DETAIL_COLUMNS = Object.keys(saleDetails);

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

export type CamelCased<Fields> = { [Field in keyof Fields as CamelCase<Field & string>]: Fields[Field] };

/** What a caller added about a sale: the optional fields of the contract, in camelCase. */
export type SaleDetails = CamelCased<SaleDetailColumns>;

/** Every field is there, if only as undefined, so that a mapping that forgets one does not compile. */
export type Complete<Fields> = { [Field in keyof Required<Fields>]: Fields[Field & keyof Fields] | undefined };
