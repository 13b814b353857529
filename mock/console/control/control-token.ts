const place = 'partnerkit-control-token';

/**
 * The token of the control API, which some mocks require. The browser keeps it until the tab is closed. API keys are never
 * stored.
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
