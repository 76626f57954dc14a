// A Go program: sums 1 to 20 million in as many goroutines as there may be threads at work, in
// rounds (rounds.h). The runtime starts its threads by itself, without the C library.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

const last = 20_000_000

func sum(count int) int64 {
	var total atomic.Int64
	var threads sync.WaitGroup
	for first := 1; first <= count; first++ {
		threads.Add(1)
		go func(first int) {
			defer threads.Done()
			sum := int64(0)
			for i := first; i <= last; i += count {
				sum += int64(i)
			}
			total.Add(sum)
		}(first)
	}
	threads.Wait()
	return total.Load()
}

func main() {
	count := runtime.GOMAXPROCS(0)
	result := sum(count)
	fmt.Printf("threads %d\nresult %d\n", count, result)
	var ended atomic.Bool
	go func() {
		os.Stdin.Read(make([]byte, 1))
		ended.Store(true)
	}()
	for !ended.Load() {
		if sum(count) != result {
			os.Exit(1)
		}
	}
}
