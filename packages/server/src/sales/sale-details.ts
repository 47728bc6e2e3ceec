import { type SaleDetails as SaleDetailColumns, saleDetails } from '@svc/contract';

export type { SaleDetailColumns };

/** The columns of the table `sales` that hold the details: they have the names of the fields. */
export const SALE_DETAIL_COLUMNS = Object.keys(saleDetails);

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** What a caller added about a sale: the optional fields of the contract, in camelCase. */
export type SaleDetails = { [Field in keyof SaleDetailColumns as CamelCase<Field>]: SaleDetailColumns[Field] };

/** Every name is present, so that a mapping that forgets one does not compile. */
type Complete<Details> = { [Name in keyof Required<Details>]: Details[Name & keyof Details] };

/** The details of a request. */
export function saleDetailsOf(sent: SaleDetailColumns): Complete<SaleDetails> {
  return {
    subscriptionId: sent.subscription_id,
    subscriptionInterval: sent.subscription_interval,
    productId: sent.product_id,
    lineItems: sent.line_items,
  };
}

/** The details by the columns of the table `sales` that hold them. */
export function saleDetailColumns(sale: SaleDetails): Complete<SaleDetailColumns> {
  return {
    subscription_id: sale.subscriptionId,
    subscription_interval: sale.subscriptionInterval,
    product_id: sale.productId,
    line_items: sale.lineItems,
  };
}
