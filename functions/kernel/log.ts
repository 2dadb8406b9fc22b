import { AsyncLocalStorage } from 'node:async_hooks';

import { clock } from './clock.ts';
import { settings } from './settings.ts';

/**
 * The logger is written by hand: every function loads it, and it only writes one line of JSON with the context of its
 * invocation.
 */
const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const;
type Level = Exclude<keyof typeof LEVELS, 'silent'>;

/** The members of every log line of one invocation: request id, area, operation, environment. */
export interface LogContext {
  [member: string]: string | number | undefined;
}

const current = new AsyncLocalStorage<LogContext>();

/** Runs work whose log lines have this context. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return current.run(context, work);
}

/** The context of the current work, if there is one. */
export const logContext = (): Readonly<LogContext> | undefined => current.getStore();

/** Adds members to the context of the current work. */
export function addLogContext(members: LogContext): void {
  const context = current.getStore();
  if (context !== undefined) Object.assign(context, members);
}

let writeLine = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Redirects the lines of logs and metrics from standard output to another function, since the local runtime uses standard
 * output itself.
 */
export function sendLinesTo(sink: (line: string) => void): void {
  writeLine = sink;
}

/** Writes one line of log or metrics. */
export const emitLine = (line: string): void => writeLine(line);

const isObject = (value: unknown): boolean => typeof value === 'object';

function write(level: Level, message: string, members: Record<string, unknown>): void {
  if (LEVELS[level] < LEVELS[settings().GATEHOUSE_LOG_LEVEL]) return;
  const line = { level, time: clock.timestamp(), message, ...current.getStore(), ...members };
  // A replacer is called for each member, so lines without errors are written without it.
  emitLine(Object.values(members).some(isObject) ? JSON.stringify(line, errorsAsText) : JSON.stringify(line));
}

/**
 * Only the name, message and stack of an error are logged: SDK errors contain requests, and requests contain secrets.
 */
function errorsAsText(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const cause = value.cause instanceof Error ? `${value.cause.name}: ${value.cause.message}` : undefined;
  return { name: value.name, message: value.message, stack: value.stack, cause };
}

/**
 * Writes one line of JSON for each call, for CloudWatch Logs. Callers name the members one by one, and never pass a whole
 * request, body or record.
 */
export const log = {
  debug: (message: string, members: Record<string, unknown> = {}) => write('debug', message, members),
  info: (message: string, members: Record<string, unknown> = {}) => write('info', message, members),
  warn: (message: string, members: Record<string, unknown> = {}) => write('warn', message, members),
  error: (message: string, members: Record<string, unknown> = {}) => write('error', message, members),
};
