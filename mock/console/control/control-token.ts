const place = 'partnerkit-control-token';

/**
 * The token of the control API, where the mock wants one. It lives as long as the tab; API keys are never kept here or
 * anywhere else.
 */
export const controlToken = {
  get: (): string | null => sessionStorage.getItem(place),
  set: (token: string): void => sessionStorage.setItem(place, token),
  /** Headers of a request to the control API. */
  headers(): Record<string, string> {
    const token = controlToken.get();
    return token === null ? {} : { authorization: `Bearer ${token}` };
  },
};
