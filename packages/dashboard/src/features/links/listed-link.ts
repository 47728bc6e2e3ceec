import type { Row } from '../../api/client.ts';

export type ListedLink = Row<'manageLinks'>;
