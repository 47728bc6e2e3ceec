// Writes packages/server/schema.sql and docs/schema.md from a new store with all migrations. A test compares both.
import { readFileSync, writeFileSync } from 'node:fs';
import { openEmbedded } from '../packages/server/dist/db/engines/embedded.js';
import { migrate } from '../packages/server/dist/db/migrate.js';
import { formatPage, formatSql, schemaProblems } from '../packages/server/dist/db/schema/format-schema.js';
import { readSchema } from '../packages/server/dist/db/schema/read-schema.js';
import { readOwners } from './owners.mjs';

const ROOT = new URL('../', import.meta.url);

const owners = readOwners(readFileSync(new URL('ARCHITECTURE.md', ROOT), 'utf8'));
const db = await openEmbedded('memory://');
await migrate(db);
const schema = await readSchema(db);
await db.close();
const problems = schemaProblems(schema, owners);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
writeFileSync(new URL('packages/server/schema.sql', ROOT), formatSql(schema));
writeFileSync(new URL('docs/schema.md', ROOT), formatPage(schema, owners));
