import { init } from '@svc/tracker';

init({ programId: 42 });
