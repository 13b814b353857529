import type { Response } from 'express';

/** Answers with the error body of the API, and the single problems where there are several. */
export function controlError(
  response: Response,
  status: number,
  code: string,
  message: string,
  problems?: readonly string[],
): void {
  response.status(status).json({ error: { code, message, ...(problems && { problems }) } });
}
