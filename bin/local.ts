import { enableCompileCache } from 'node:module';

// Before anything else is loaded: the second start reads compiled code.
enableCompileCache();
const { runLocal } = await import('../lib/local/command.ts');
await runLocal(process.argv.slice(2));
