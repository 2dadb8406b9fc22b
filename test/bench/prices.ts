/**
 * Prices of AWS in US dollars: us-east-1, list prices without free tier or savings plan, as of November 2026. They were
 * written down from memory of the public price pages (DynamoDB on demand: November 2024), so check them before you quote
 * the result.
 */
export const prices = {
  region: 'us-east-1',
  lambdaRequest: 0.2 / 1e6,
  /** HTTP API, first tier. */
  gatewayRequest: 1 / 1e6,
  /** arm64, first tier. */
  lambdaGbSecond: 0.000_013_333_4,
  /** On demand, standard table class. */
  dynamoReadUnit: 0.125 / 1e6,
  dynamoWriteUnit: 0.625 / 1e6,
  kmsRequest: 0.03 / 10_000,
} as const;

/** Assumptions about a deployment; everything else is measured. */
export const assumed = {
  /** The memory in MiB at which a Lambda function has one whole core, and a share of it below. */
  coreMb: 1_769,
  /** One round trip to DynamoDB or KMS within the region, in ms. */
  roundTripMs: 5,
} as const;

/** The resources that one call of an operation uses. */
export interface Consumption {
  /** CPU time in ms on a whole core of this machine. */
  cpuMs: number;
  memoryMb: number;
  serialRoundTrips: number;
  readUnits: number;
  writeUnits: number;
  kmsCalls: number;
}

/**
 * US dollars for a million calls: 1e6 x (request + GB-seconds + read units + write units + KMS calls), each times its price,
 * where GB-seconds = memory / 1024 x duration, and duration = CPU time / the share of a core that the memory size includes +
 * serial round trips x 5 ms. One invocation serves one call, as Lambda does. Left out: API Gateway ($1 a million), the
 * delivery of events to webhooks (printed separately), logs, storage and transfer.
 */
export function costOfMillion(of: Consumption): number {
  const share = Math.min(1, of.memoryMb / assumed.coreMb);
  const seconds = (of.cpuMs / share + of.serialRoundTrips * assumed.roundTripMs) / 1_000;
  const one =
    prices.lambdaRequest +
    (of.memoryMb / 1_024) * seconds * prices.lambdaGbSecond +
    of.readUnits * prices.dynamoReadUnit +
    of.writeUnits * prices.dynamoWriteUnit +
    of.kmsCalls * prices.kmsRequest;
  return one * 1e6;
}
