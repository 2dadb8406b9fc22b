/**
 * Changes the port of requests to CloudFormation in the emulator; it is loaded into every function there. The CDK's
 * functions behind custom resources respond to CloudFormation over HTTPS at its usual port, whatever the URL says; the
 * emulator expects them at its own port, over HTTP. Nothing else is changed.
 */
import http, { type RequestOptions } from 'node:http';
import https from 'node:https';

const send = https.request.bind(https) as (...given: unknown[]) => http.ClientRequest;
const sendPlain = http.request.bind(http) as (...given: unknown[]) => http.ClientRequest;

https.request = (...given: unknown[]) => {
  const [options, ...rest] = given as [RequestOptions | undefined, ...unknown[]];
  const endpoint = process.env.AWS_ENDPOINT_URL;
  const isResponse = options?.path?.startsWith('/_ministack/cfn-response/') === true;
  if (!isResponse || endpoint === undefined) return send(...given);
  const { hostname, port } = new URL(endpoint);
  return sendPlain({ ...options, hostname, port }, ...rest);
};
