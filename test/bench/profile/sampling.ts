import { Session } from 'node:inspector/promises';

/** A function of a profile, with the source position of its definition and its samples. */
interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
  children?: number[];
}

/** A profile of V8's sampling profiler; times are in microseconds. */
export interface Profile {
  nodes: ProfileNode[];
  startTime: number;
  endTime: number;
  samples?: number[];
  timeDeltas?: number[];
}

/** The interval of samples, in microseconds. */
const INTERVAL_US = 100;

/** The result of a measured work: its profile, and its CPU time in ms, of all threads of the process. */
export interface Sampled {
  profile: Profile;
  cpuMs: number;
}

/** Starts sampling the main thread of this process. @returns ends it */
export async function startSampling(): Promise<() => Promise<Sampled>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
  const before = process.cpuUsage();
  return async () => {
    const { user, system } = process.cpuUsage(before);
    const { profile } = (await session.post('Profiler.stop')) as { profile: Profile };
    session.disconnect();
    return { profile, cpuMs: (user + system) / 1_000 };
  };
}
