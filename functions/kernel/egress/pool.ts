import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { getCACertificates } from 'node:tls';

/** Milliseconds a connection may rest. Below the 5 s after which common servers hang up. */
const restMs = 4_000;
/** Resting connections kept in all; the oldest go first. */
const maxResting = 64;

/** Keep-alive connections of one policy. Each was opened to a checked address, and none outlives its rest. */
export interface ConnectionPool {
  /** The agent for a scheme: one that reuses what rests, or one whose connections serve a single request. */
  agent(protocol: string, reuse: boolean): http.Agent;
  /** Notes that a connection has just carried an answer. */
  used(socket: Socket): void;
  /** Closes what rests. */
  close(): void;
}

/**
 * A pool per policy: sharing one between policies would hand a connection that one allows to a caller under the other.
 * Rests are measured on the wall clock, since a frozen Lambda's timers sleep while servers hang up.
 * @param ca certificate authorities (PEM) trusted beside the runtime's own
 */
export function connectionPool(ca: readonly string[]): ConnectionPool {
  const resting = { keepAlive: true, maxFreeSockets: 2, timeout: restMs };
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
