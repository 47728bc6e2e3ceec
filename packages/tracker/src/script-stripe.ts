import './script.ts';
import { decorate } from './decorate.ts';

// Of several tags on a page, the first one tracks.
decorate(() => (window as unknown as { svc: { getClickId(): string | null } }).svc.getClickId());
