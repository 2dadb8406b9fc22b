/** A protected MCP server, as an example of an API that is protected by the OAuth server of an environment. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { McpModules } from './modules.ts';

/** The credentials of an m2m application, with which the server introspects tokens. */
export interface Introspection {
  issuer: string;
  endpoint: string;
  clientId: string;
  secret: string;
}

/** Reports whether a token is valid now and has this resource as its audience. */
async function isAccepted(
  token: string,
  resource: string,
  { endpoint, clientId, secret }: Introspection,
): Promise<boolean> {
  const body = new URLSearchParams({ token, client_id: clientId, client_secret: secret });
  const state = (await (await fetch(endpoint, { method: 'POST', body })).json()) as { active: boolean; aud?: string };
  return state.active && state.aud === resource;
}

/** Starts an MCP server with one tool on a free port, protected as RFC 9728 and the MCP specification require. */
export async function startMcpServer({ Server, ServerTransport, ListTools, CallTool }: McpModules, by: Introspection) {
  const server = createServer((request, response) => {
    void (async () => {
      if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
        const metadata = {
          resource,
          authorization_servers: [by.issuer],
          scopes_supported: ['openid', 'offline_access'],
        };
        return response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
      }
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
      if (token === undefined || !(await isAccepted(token, resource, by))) {
        const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
        return response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
      }
      const mcp = new Server({ name: 'demo', version: '1.0.0' }, { capabilities: { tools: {} } });
      const tool = { name: 'greet', description: 'Greets', inputSchema: { type: 'object' } };
      mcp.setRequestHandler(ListTools, async () => ({ tools: [tool] }));
      mcp.setRequestHandler(CallTool, async () => ({ content: [{ type: 'text', text: 'Hello' }] }));
      const transport = new ServerTransport({ sessionIdGenerator: undefined });
      await mcp.connect(transport);
      return transport.handleRequest(request, response);
    })().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const resource = `${origin}/mcp`;
  return { resource, close: () => server.close() };
}
