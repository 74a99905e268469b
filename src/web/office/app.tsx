import { CSPProvider } from "@base-ui/react/csp-provider";
import { createBrowserRouter, RouterProvider } from "react-router";
import { areas } from "./areas.ts";
import { Frame } from "./shell/frame/frame.tsx";
import { Guarded } from "./shell/guarded.tsx";
import { FailedScreen, LoadingScreen, MissingScreen } from "./shell/states.tsx";
import { StartScreen } from "./shell/start-screen.tsx";
import { AcceptInvitationPage } from "./sign-in/accept-invitation-page.tsx";

const router = createBrowserRouter([
  { path: "/invite", element: <AcceptInvitationPage /> },
  {
    element: <Frame />,
    errorElement: <FailedScreen />,
    hydrateFallbackElement: <LoadingScreen />,
    children: [
      { index: true, element: <StartScreen /> },
      // An error of one screen stays inside the frame.
      {
        errorElement: <FailedScreen />,
        children: areas.flatMap(({ routes }) =>
          routes.map(({ permission, ...route }) => ({ element: <Guarded permission={permission} />, children: [route] })),
        ),
      },
      { path: "*", element: <MissingScreen /> },
    ],
  },
]);

export function App() {
  return (
    <CSPProvider disableStyleElements>
      <RouterProvider router={router} />
    </CSPProvider>
  );
}
