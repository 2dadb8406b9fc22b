import type { Engine } from '../aws-call.ts';

/** A running DynamoDB on this machine. */
export interface TableEngine extends Engine {
  /** The DynamoDB Streams API of the same engine. */
  streams: Engine;
  /**
   * Removes rows of a table that have expired, at most some hundred; absent for an engine that the developer runs.
   * @returns the number of removed rows
   */
  expire?: (table: string, seconds: number) => number;
  /** Stops the engine; acknowledged data is on disk. */
  stop: () => Promise<void>;
}

/** The engine at an address, which the developer runs. */
export function tableEngineAt(url: string): TableEngine {
  return {
    url,
    service: 'DynamoDB_20120810',
    version: '1.0',
    streams: { url, service: 'DynamoDBStreams_20120810', version: '1.0' },
    stop: async () => undefined,
  };
}
