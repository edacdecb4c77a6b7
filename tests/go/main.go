// Programs as users of the Go SDKs write them: one of Azure's resource manager, one of client-go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	programs := map[string]func(context.Context) (any, error){"arm": runArm, "kube": runKube}
	run, ok := programs[os.Args[1]]
	if !ok {
		fmt.Fprintln(os.Stderr, "usage: clients arm|kube")
		os.Exit(2)
	}
	facts, err := run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(facts); err != nil {
		os.Exit(1)
	}
}
