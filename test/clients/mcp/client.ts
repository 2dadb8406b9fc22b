import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npmPackages } from '../cache.ts';
import type { Client } from '../client.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** npm `@modelcontextprotocol/sdk`, which finds the authorization server of an MCP server, registers and signs in. */
export const mcp: Client = {
  name: 'mcp',
  title: 'Model Context Protocol, @modelcontextprotocol/sdk 1.32.2',
  prepare: async () => {
    const installed = await npmPackages('mcp', folder);
    return {
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', join(folder, 'flows.ts')],
      env: { GATEHOUSE_MCP_SDK: join(installed, 'node_modules', '@modelcontextprotocol', 'sdk', 'dist', 'esm') },
    };
  },
};
