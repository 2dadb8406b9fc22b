import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process of the bench that is ready, with the message that it has sent. */
export interface Child<T> {
  message: T;
  process: ChildProcess;
}

/**
 * Forks a script of this folder and waits for its one message.
 * @throws Error when it ends without one
 */
export function forkChild<T>(
  script: string,
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Child<T>> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(file, [...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...variables },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Logs are written as on Lambda, but discarded.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve({ message: message as T, process: child }));
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} and said nothing`)));
  });
}
