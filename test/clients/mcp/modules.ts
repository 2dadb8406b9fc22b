import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The parts of `@modelcontextprotocol/sdk` that the flows use. Its types are declared here because it is only installed in
 * the cache.
 */
export interface McpModules {
  Server: new (
    info: object,
    options: object,
  ) => {
    setRequestHandler: (schema: unknown, handler: () => Promise<object>) => void;
    connect: (transport: unknown) => Promise<void>;
  };
  ServerTransport: new (options: object) => {
    handleRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  };
  ListTools: unknown;
  CallTool: unknown;
  Client: new (info: object) => {
    connect: (transport: unknown) => Promise<void>;
    callTool: (call: object) => Promise<{ content: { text: string }[] }>;
    close: () => Promise<void>;
  };
  ClientTransport: new (
    url: URL,
    options: object,
  ) => { finishAuth: (code: string) => Promise<void>; close: () => Promise<void> };
  UnauthorizedError: new () => Error;
}

/** Loads the package from its folder in the cache. */
export async function loadMcp(folder: string): Promise<McpModules> {
  const load = async (path: string) =>
    (await import(pathToFileURL(join(folder, path)).href)) as Readonly<Record<string, unknown>>;
  const [server, serverTransport, types, client, clientTransport, auth] = await Promise.all(
    [
      'server/index.js',
      'server/streamableHttp.js',
      'types.js',
      'client/index.js',
      'client/streamableHttp.js',
      'client/auth.js',
    ].map(load),
  );
  return {
    Server: server?.Server,
    ServerTransport: serverTransport?.StreamableHTTPServerTransport,
    ListTools: types?.ListToolsRequestSchema,
    CallTool: types?.CallToolRequestSchema,
    Client: client?.Client,
    ClientTransport: clientTransport?.StreamableHTTPClientTransport,
    UnauthorizedError: auth?.UnauthorizedError,
  } as McpModules;
}
