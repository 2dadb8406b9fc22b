import { spawnSync } from 'node:child_process';

/** The engine processes with a database in this folder, which no other test uses, by their id and command line. */
export function enginesOn(folder: string): { pid: number; command: string }[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => ({ pid: Number(line.trim().split(' ', 1)[0]), command: line.trim().replace(/^\d+ /, '') }))
    .filter(({ command }) => command.includes(`--db-path ${folder}/`) && !command.startsWith('/bin/sh'));
}
