import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { getCACertificates } from 'node:tls';

/** Time in ms for which a connection may be idle, below the 5 s after which common servers close it. */
const restMs = 4_000;
/** Maximum idle connections; the oldest are closed first. */
const maxResting = 64;

/**
 * Keep-alive connections of one policy. Each was opened to a checked address, and none is idle for longer than its
 * limit.
 */
export interface ConnectionPool {
  /** The agent for a scheme: one that reuses idle connections, or one whose connections serve a single request. */
  agent(protocol: string, reuse: boolean): http.Agent;
  /** Records that a connection has just received a response. */
  used(socket: Socket): void;
  /** Closes idle connections. */
  close(): void;
}

/**
 * Creates a pool for one policy. A pool that is shared between policies could use a connection that one policy allows for a
 * caller under another. Idle times are measured on the wall clock, since the timers of a frozen Lambda stop while servers
 * close connections.
 * @param ca certificate authorities (PEM) trusted in addition to the runtime's own
 * @param perHost maximum idle connections to one host
 */
export function connectionPool(ca: readonly string[], perHost = 2): ConnectionPool {
  const resting = { keepAlive: true, maxFreeSockets: perHost, timeout: restMs };
  const trust = ca.length > 0 ? { ca: [...getCACertificates('default'), ...ca] } : {};
  const kept = { 'http:': new http.Agent(resting), 'https:': new https.Agent({ ...resting, ...trust }) };
  const single = { 'http:': new http.Agent(), 'https:': new https.Agent(trust) };
  const lastUse = new WeakMap<object, number>();

  function sweep(): void {
    const sockets = Object.values(kept).flatMap((agent) =>
      Object.values(agent.freeSockets).flatMap((list) => list ?? []),
    );
    const since = (socket: object) => lastUse.get(socket) ?? 0;
    sockets.sort((a, b) => since(b) - since(a));
    const oldest = Date.now() - restMs;
    sockets.forEach((socket, index) => {
      if (index >= maxResting || since(socket) <= oldest) socket.destroy();
    });
  }

  return {
    agent(protocol, reuse) {
      sweep();
      return (reuse ? kept : single)[protocol === 'https:' ? 'https:' : 'http:'];
    },
    used: (socket) => void lastUse.set(socket, Date.now()),
    close: () => Object.values(kept).forEach((agent) => agent.destroy()),
  };
}
