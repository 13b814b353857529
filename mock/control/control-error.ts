import type { Response } from 'express';

/** Sends an error body like that of the API, with a list of all problems if there are several. */
export function controlError(
  response: Response,
  status: number,
  code: string,
  message: string,
  problems?: readonly string[],
): void {
  response.status(status).json({ error: { code, message, ...(problems && { problems }) } });
}
